import {stripControl} from '../format/control.ts';

/** Ids that may pass 2^53. Checked first, because a reviver makes JSON.parse several times slower. */
const longId = /"(?:id|tradeId)"\s*:\s*\d{16}/;
const quotedLength = 200;

/** JSON.parse that leaves integer ids beyond 2^53 as decimal text. Throws what JSON.parse throws. */
export function parseJson(text: string): unknown {
	return longId.test(text) ? JSON.parse(text, keepLongIds) : JSON.parse(text);
}

function keepLongIds(key: string, value: unknown, context?: {readonly source?: string}): unknown {
	if ((key !== 'id' && key !== 'tradeId') || typeof value !== 'number' || Number.isSafeInteger(value)) return value;
	const source = context?.source ?? '';
	return /^\d+$/.test(source) ? source : value;
}

/** One line of at most 200 characters without control characters. */
export const quoteLine = (text: string): string =>
	// Cut first, so that megabytes are not cleaned.
	stripControl(text.slice(0, 4000)).replace(/\s+/g, ' ').trim().slice(0, quotedLength);

/** The parts of an answer that an error quotes: the start of its body, and its envelope's message if it has one. */
export function quote(text: string): {body: string; message: string} {
	const body = quoteLine(text);
	return {body, message: messageOf(text) || body};
}

function messageOf(text: string): string {
	if (!text.trimStart().startsWith('{')) return '';
	try {
		const envelope = parseJson(text);
		const message = typeof envelope === 'object' && envelope !== null && 'message' in envelope ? envelope.message : '';
		return typeof message === 'string' ? quoteLine(message) : '';
	} catch {
		return '';
	}
}
