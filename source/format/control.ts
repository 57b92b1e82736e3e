/** Most texts have nothing to strip. */
const plain = /^[ -~]*$/;

/** Line breaks and tabs, in all the ways to write them. */
const breaks = '\\t\\n\\v\\f\\r\\x85\\u2028\\u2029';

/**
 * Characters that are invisible, reorder or join others, or are half a character. Breaks, joiners and the controls that
 * escape sequences are made of are handled below.
 */
const invisible =
	/[[\x00-\x06\x08\x0e-\x17\x19\x1c-\x1f\x7f\p{Cs}\p{Cf}\p{Default_Ignorable_Code_Point}]--[\u200c\u200d]]/gv;

/** In this order: strings up to their terminator (OSC, DCS, SOS, PM, APC), CSI, everything else that begins with ESC. */
const escapeSequence =
	/(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x18\x1a\x1b\x9c]*|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?|\x1b[ -/]*[0-~]?/g;

const leftControl = /[\x07\x18\x1a\x1b\x80-\x84\x86-\x9f]/g;

/** Joiners mean something only inside a word of a script that joins, such as Persian; in `BTC` they only deceive. */
const idleJoiner =
	/(?<![[\p{L}\p{M}]--\p{Script=Latin}])[\u200c\u200d]|[\u200c\u200d](?![[\p{L}\p{M}]--\p{Script=Latin}])/gv;

const blankRun = new RegExp(`[ ${breaks}]+`, 'g');

/**
 * `text` without anything that acts on a terminal: control characters, whole escape sequences, bidirectional overrides and
 * marks, invisible characters, halves of surrogate pairs. Tabs and line breaks become one blank. Clean text stays as it is.
 */
export function stripControl(text: string): string {
	if (plain.test(text)) return text;
	return text
		.replace(invisible, '')
		.replace(escapeSequence, '')
		.replace(leftControl, '')
		.replace(idleJoiner, '')
		.replace(blankRun, run => (/^ +$/.test(run) ? run : ' '));
}

/** The first UTF-16 units of `text`, at most so many, without half a character at the end. */
export const firstUnits = (text: string, most: number): string => text.slice(0, most).replace(/[\ud800-\udbff]$/, '');

/** Stands for the key F1 among typed characters, as on macOS. Terminals send sequences for it. */
export const f1Character = '\uF704';
