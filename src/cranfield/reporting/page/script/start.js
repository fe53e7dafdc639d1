// All parts are known: charts are drawn.

watchCharts();
