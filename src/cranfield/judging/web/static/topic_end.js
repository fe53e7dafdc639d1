// The end of a topic: the key that leads to the next document leads to the next topic.
import { listen } from "./judge/keys.js";

listen(document, (control) => control.click());
