/* What goes over the sockets and comes as answers: the server's rows and figures, and what it says to commands. */

type Person = { name: string; initials: string; colour: string; holds: boolean };
type Remark = { id: number; who: string; at: string; text: string };

/** A row that changed: leaf values, put into the elements that name it. What else it holds depends on its kind. */
type LiveRow = { kind: string; id: string | number; v: number; [leaf: string]: unknown };
type PageRow = LiveRow & { kind: "page"; number: number; state: string };
type TaskRow = LiveRow & {
  kind: "task";
  id: string;
  state: string;
  holder: string;
  who: string;
  since: string;
  people: Person[];
  comments?: Remark[];
  created_at: string;
  due_at: string;
  still: boolean;
};
type DraftRow = LiveRow & { kind: "draft"; id: number; user: string; state: DraftState; page_version: string };

/** Numbers and words of a page by the names that its elements give them. */
type Figures = { v?: number; shape?: string; status_word?: string; [name: string]: string | number | undefined };

type Message = { type: string; seq?: number; rows?: LiveRow[]; figures?: Figures; records?: Record<string, string>; unread?: string; answer?: Answer & { id: string } };

/** Of an answer by HTTP that is none (RFC 9457). */
type ServerProblem = { code?: string; title?: string; action_hint?: string; job_url?: string };
type Problem = { path: string; message: string };
/** To a command; {ok: false, code: "offline" | "signin" | "failed"} where the server gave none. */
type Answer = {
  ok: boolean;
  id?: string;
  code?: string;
  message?: string;
  request?: string | null;
  token?: number;
  task?: string;
  next?: string | null;
  lost?: boolean;
  stale?: boolean;
  seq?: number;
  problems?: Problem[];
  comments?: Remark[];
  by?: string;
  since?: string;
};
type Envelope = { id?: string; token?: number; task?: string; leaving?: boolean; onward?: boolean };

type Connection = import("../../../static/js/live_connection.js").Connection;
type WorkConnection = Connection & { pong(): boolean };
