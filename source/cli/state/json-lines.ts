type Position = {readonly line: number; readonly column: number};

const anyToken =
	/[ \t\n\r]*("(?:[^"\\\p{Cc}]|[\u007F-\u009F]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|[{}[\],:])/uy;

/** What is due after the tokens so far; `comma`: that or an end. */
type Next = 'value' | 'first value' | 'key' | 'first key' | 'colon' | 'comma';

/** Where `json`, which JSON.parse refuses, ceases to be JSON; both counted from 1. V8 says it for some faults only. */
export function faultPosition(json: string): Position {
	const open: string[] = [];
	let next: Next = 'value';
	for (let offset = 0; ; ) {
		anyToken.lastIndex = offset;
		const [found = '', text] = anyToken.exec(json) ?? [];
		if (text === undefined || !fits(text, next, open.at(-1))) {
			return positionAt(json, offset + (json.slice(offset).match(/^\s*/)?.[0].length ?? 0));
		}

		offset += found.length;
		if (text === '{' || text === '[') open.push(text);
		if (text === '}' || text === ']') open.pop();
		next = dueAfter(text, next, open.at(-1));
	}
}

/** Whether a token can stand where `next` is due, inside an object or list that was begun by `inside`. */
function fits(text: string, next: Next, inside: string | undefined): boolean {
	if (text === ':') return next === 'colon';
	if (text === ',') return next === 'comma' && inside !== undefined;
	if (text === '}') return inside === '{' && (next === 'comma' || next === 'first key');
	if (text === ']') return inside === '[' && (next === 'comma' || next === 'first value');
	return isKey(next) ? text.startsWith('"') : next === 'value' || next === 'first value';
}

function dueAfter(text: string, next: Next, inside: string | undefined): Next {
	switch (text) {
		case ':':
			return 'value';
		case ',':
			return inside === '{' ? 'key' : 'value';
		case '{':
			return 'first key';
		case '[':
			return 'first value';
		case '}':
		case ']':
			return 'comma';
		default:
			return isKey(next) ? 'colon' : 'comma';
	}
}

const isKey = (next: Next): boolean => next === 'key' || next === 'first key';

function positionAt(text: string, offset: number): Position {
	const before = text.slice(0, offset).split('\n');
	return {line: before.length, column: (before.at(-1) ?? '').length + 1};
}

const token = /"(?:[^"\\]|\\.)*"|[{}[\],]|[^\s{}[\]:,"]+/g;

/** An object or a list that has begun, and where in it the text is. */
type Container = {
	readonly isList: boolean;
	/** How many parts of the path lead to it; absent: it lies beside the path. */
	readonly depth: number | undefined;
	/** Index or key of the current value; absent: a key comes next. */
	at: number | string | undefined;
};

/** Counted from 1: the line on which the value at `path` begins in `json`, which is valid; of the nearest around it where it is missing. */
export function lineOfValue(json: string, path: readonly PropertyKey[]): number {
	const open: Container[] = [];
	let found = {depth: -1, offset: 0};
	for (const {0: text, index} of json.matchAll(token)) {
		const inside = open.at(-1);
		if (text === '}' || text === ']') {
			open.pop();
		} else if (text === ',') {
			if (inside) inside.at = inside.isList ? Number(inside.at) + 1 : undefined;
		} else if (inside && inside.at === undefined) {
			inside.at = String(JSON.parse(text));
		} else {
			const isOnPath = !inside || (inside.depth !== undefined && String(path[inside.depth]) === String(inside.at));
			const depth = isOnPath ? (inside?.depth ?? -1) + 1 : undefined;
			if (depth !== undefined && depth > found.depth) found = {depth, offset: index};
			if (text === '{' || text === '[') open.push({isList: text === '[', depth, at: text === '[' ? 0 : undefined});
		}
	}

	return positionAt(json, found.offset).line;
}
