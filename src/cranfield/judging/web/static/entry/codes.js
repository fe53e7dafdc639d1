// A code stands in the address behind the #, which browsers do not send to servers. It is put into the form, and
// taken off the address, so that it stays in no history.
const root = document.documentElement.dataset.root;
const [kind, code] = location.hash.slice(1).split("=", 2);
const field = document.querySelector("input[data-code]");

if (code && (kind === "setup" || kind === "invite")) {
  if (field && field.dataset.code === kind) {
    field.value = decodeURIComponent(code);
    history.replaceState(null, "", location.pathname + location.search);
  } else {
    location.replace(`${root}/${kind}#${kind}=${code}`);
  }
}
