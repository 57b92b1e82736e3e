/** The longest base64 text that is sent: xterm and others drop a longer sequence. */
const mostEncoded = 74_994;
/** GNU screen passes on at most 768 bytes in one envelope. */
const screenChunk = 700;

/** Bytes of text that fit. */
export const mostCopiedBytes = Math.floor(mostEncoded / 4) * 3;

/**
 * The sequence (OSC 52) that puts `text` on the clipboard of the terminal, which may ignore it without an answer. Undefined: the
 * text has more than `mostCopiedBytes`.
 *
 * tmux takes the plain sequence if `set-clipboard` is `on`, and passes on the one in an envelope if `allow-passthrough` is, so
 * it gets both. GNU screen passes on what is in envelopes.
 */
export function copySequence(text: string, {TMUX, STY}: NodeJS.ProcessEnv): string | undefined {
	const bytes = Buffer.from(text);
	if (bytes.length > mostCopiedBytes) return undefined;
	const sequence = `\u001B]52;c;${bytes.toString('base64')}\u0007`;
	if (TMUX) return `${sequence}\u001BPtmux;\u001B${sequence}\u001B\\`;
	if (!STY) return sequence;
	const chunks = sequence.match(new RegExp(`[^]{1,${screenChunk}}`, 'g')) ?? [];
	return chunks.map(chunk => `\u001BP${chunk}\u001B\\`).join('');
}
