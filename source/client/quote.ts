import {stripControl} from '../format/control.ts';
import {parseJson} from './json.ts';

const quotedLength = 200;

/** One line of at most 200 characters without control characters. */
export const cleanSaid = (text: string): string =>
	// The cut before cleaning only keeps megabytes out of it.
	stripControl(text.slice(0, 4000)).replace(/\s+/g, ' ').trim().slice(0, quotedLength);

/** What an error keeps of the answer: the start of its body, and of its own words, an envelope's message, where it has some. */
export function quote(text: string): {body: string; said: string} {
	const body = cleanSaid(text);
	return {body, said: messageOf(text) || body};
}

function messageOf(text: string): string {
	if (!text.trimStart().startsWith('{')) return '';
	try {
		const envelope = parseJson(text);
		const message = typeof envelope === 'object' && envelope !== null && 'message' in envelope ? envelope.message : '';
		return typeof message === 'string' ? cleanSaid(message) : '';
	} catch {
		return '';
	}
}
