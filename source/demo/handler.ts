/** What an operation of the demo exchange needs to know of an HTTP request. */
type DemoRequest = {
	readonly method: string;
	readonly path: string;
	readonly query: URLSearchParams;
};

export type DemoAnswer = {
	readonly status: number;
	/** Besides the content type, which is always JSON. */
	readonly headers?: Readonly<Record<string, string>>;
	/** JSON text. */
	readonly body: string;
};

/** Answers every request, never rejects on a bad one. A handler can stand before another one as a filter. */
export type Handler = (request: DemoRequest) => Promise<DemoAnswer>;
