/* The socket of people's work: what is on the screen is said at each opening, and the server's ping is answered. */
import { Connection } from "./live_connection.js";

export const SOCKET = "/ws/work/";
const SYNC = "/tasks/sync/";

/** `tasks`: ids on the screen; `alone`: nothing else matters. `pong()` gives what the answer to a ping says of this tab.
   @type {(work: { session: string, tasks: string[], alone?: boolean, heard: (message: Message, afterBreak: boolean) => void, pong?: () => object, opened?: () => void, cut: () => void }) => WorkConnection} */
export function workConnection({ session, tasks, alone = false, heard, pong = () => ({}), opened = () => {}, cut }) {
  const query = new URLSearchParams(tasks.map((task) => ["task", task]));
  if (alone) query.set("alone", "1");
  const answer = () => connection.send({ type: "pong", ...pong() });
  const connection = new Connection({
    socketUrl: `${SOCKET}?session=${session}`,
    syncUrl: `${SYNC}?${query}`,
    heard: (message, afterBreak) => (message.type === "ping" ? answer() : heard(message, afterBreak)),
    opened: () => {
      connection.send({ type: "show", tasks, alone });
      answer();
      opened();
    },
    cut,
  });
  return Object.assign(connection, { pong: answer });
}
