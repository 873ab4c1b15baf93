/* What this product's pages promise of the browser, said once: who an event is about, the events of their own, and the scripts beside. */

type Aimed = "beforetoggle" | "click" | "focusin" | "focusout" | "keydown" | "keyup" | "mousedown" | "pointerdown" | "pointermove" | "pointerover" | "toggle";
type Typed = "change" | "compositionend" | "input";
/** An event heard on an element, or on the document, was of an element; what is typed, of a field. */
type AimedEvents<M> = { [K in Aimed & keyof M]: M[K] & { readonly target: HTMLElement } } & {
  [K in Typed & keyof M]: (K extends "input" ? InputEvent : M[K]) & { readonly target: HTMLInputElement };
} & { submit: SubmitEvent & { readonly target: HTMLFormElement } };
type OwnEvents = { "live:page": CustomEvent<PageRow>; "region:replaced": CustomEvent & { readonly target: HTMLElement }; "htmx:responseError": CustomEvent<{ xhr: XMLHttpRequest }> };

type Listening<M> = <K extends keyof M>(type: K, listener: (event: M[K]) => unknown, options?: boolean | AddEventListenerOptions) => void;
interface HTMLElement {
  addEventListener<K extends keyof AimedEvents<HTMLElementEventMap>>(type: K, listener: (event: AimedEvents<HTMLElementEventMap>[K]) => unknown, options?: boolean | AddEventListenerOptions): void;
}
interface Document {
  addEventListener<K extends keyof AimedEvents<DocumentEventMap>>(type: K, listener: (event: AimedEvents<DocumentEventMap>[K]) => unknown, options?: boolean | AddEventListenerOptions): void;
  addEventListener<K extends keyof OwnEvents>(type: K, listener: (event: OwnEvents[K]) => unknown, options?: boolean | AddEventListenerOptions): void;
  removeEventListener<K extends keyof OwnEvents>(type: K, listener: (event: OwnEvents[K]) => unknown): void;
}

/** Selectors here name elements of HTML, but where a tag says otherwise. */
interface ParentNode {
  querySelector<K extends keyof HTMLElementTagNameMap>(selectors: K): HTMLElementTagNameMap[K] | null;
  querySelector<K extends keyof SVGElementTagNameMap>(selectors: K): SVGElementTagNameMap[K] | null;
  querySelector(selectors: string): HTMLElement | null;
  querySelectorAll<K extends keyof HTMLElementTagNameMap>(selectors: K): NodeListOf<HTMLElementTagNameMap[K]>;
  querySelectorAll<K extends keyof SVGElementTagNameMap>(selectors: K): NodeListOf<SVGElementTagNameMap[K]>;
  querySelectorAll(selectors: string): NodeListOf<HTMLElement>;
}
interface Element {
  closest<K extends keyof HTMLElementTagNameMap>(selector: K): HTMLElementTagNameMap[K] | null;
  closest(selectors: string): HTMLElement | null;
}

type HtmlKind<E extends Element> = abstract new (...given: never[]) => E;
interface FindsOne {
  <K extends keyof HTMLElementTagNameMap>(root: ParentNode, selector: K): HTMLElementTagNameMap[K];
  <K extends keyof SVGElementTagNameMap>(root: ParentNode, selector: K): SVGElementTagNameMap[K];
  <E extends Element = HTMLElement>(root: ParentNode, selector: string, kind?: HtmlKind<E>): E;
}
type FindsById = <E extends Element = HTMLElement>(id: string, kind?: HtmlKind<E>) => E;
type FindsAll = <E extends Element>(root: ParentNode, selector: string, kind: HtmlKind<E>) => E[];

interface Window {
  htmx?: { trigger(element: Element, event: string): void; process(element: Element): void };
  tus?: Tus;
}

// --- tus-js-client 4.3, as far as it is used -------------------------------------------------

type TusStored = { urlStorageKey: string; size: number | null; metadata?: Record<string, string> };
type TusResponse = { getHeader(name: string): string | undefined; getBody(): string };
type TusError = Error & { originalResponse?: TusResponse | null };
type TusOptions = {
  endpoint: string;
  chunkSize: number;
  retryDelays: number[];
  metadata: Record<string, string>;
  headers: Record<string, string>;
  removeFingerprintOnSuccess: boolean;
  onShouldRetry: (error: TusError) => boolean;
  onChunkComplete: (bytes: number) => void;
  onProgress: (sent: number, total: number) => void;
  onAfterResponse: (request: unknown, response: TusResponse) => void;
  onSuccess: () => void;
  onError: (error: TusError) => void;
};
interface TusUpload {
  options: TusOptions;
  findPreviousUploads(): Promise<TusStored[]>;
  resumeFromPreviousUpload(stored: TusStored): void;
  start(): void;
  abort(terminates?: boolean): Promise<void>;
}
interface Tus {
  Upload: new (file: File, options: TusOptions) => TusUpload;
  defaultOptions: { urlStorage: { findAllUploads(): Promise<TusStored[]>; removeUpload(key: string): Promise<void> } };
}

// --- uploads ---------------------------------------------------------------------------------

type UploadState = "checking" | "waiting" | "sending" | "paused" | "interrupted" | "received" | "duplicate" | "refused" | "removed";
type UploadOptions = {
  endpoint: string;
  maxBytes: number;
  chunkBytes: number;
  /** "kind:template"; empty for a catalogue. */
  kind: () => string;
  editionOf: () => string;
  urgency: () => string;
  category: () => string;
  onChange: () => void;
};
type SentMark = [at_ms: number, bytes: number];

// --- between modules -------------------------------------------------------------------------

/** A key that was pressed on an element of the page. */
type KeyPress = KeyboardEvent & { readonly target: HTMLElement };
/** What a key does in one scope; where `when` is false the key is left to the browser; `typing`: in fields too. */
type KeyUse = { scope: string; keys: readonly string[]; says: string; run: (event: KeyPress) => unknown; when?: (event: KeyPress) => boolean; typing?: boolean };
type Binding = { scope: string; usual: readonly string[]; says: string; run: (event: KeyPress) => unknown; when: (event: KeyPress) => boolean; typing: boolean };

type Tone = "acc" | "done" | "person" | "fault";
type ToastAction = { word: string; run: () => unknown; stays_ms?: number };
type Timer = ReturnType<typeof setTimeout> | 0;
/** A link where it has an address, else a button; quiet: an icon alone. */
type RowAction = { word: string; icon?: string; run?: () => unknown; href?: string; quiet?: boolean };
