/** Texts as lines of mdoc, the language of manual pages. */

/** What roff takes for itself is escaped; beyond ASCII, by number. */
export const escaped = (line: string): string =>
	line
		.replaceAll('\\', '\\e')
		.replaceAll('-', '\\-')
		.replace(
			/[^\x00-\x7f]/gu,
			letter => `\\[u${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`,
		);

/** In a macro's line, where words of two letters and punctuation have a meaning of their own. */
export const word = (line: string): string =>
	escaped(line)
		.replaceAll('"', '\\(dq')
		.split(' ')
		.map(each => `\\&${each.replace(/[\])}.,:;!?]$/, '$&\\&')}`)
		.join(' ');

/** Lines of text. A sentence ends where a line does, and a line that began with a dot or a quote would be a macro. */
export const text = (paragraph: string): string =>
	escaped(paragraph)
		.replace(/([.!?]) (?=[A-Z])/g, '$1\n')
		.replace(/(?=.{79})(.{1,78}) /g, '$1\n')
		.replace(/^(?=[.'])/gm, '\\&');

/** Tags, as mdoc, with a text each; with a width in characters, without blank lines and with most texts beside their tags. */
export function tagList(items: ReadonlyArray<readonly [tag: string, text: string]>, width?: number): readonly string[] {
	if (items.length === 0) return [];
	const form = width === undefined ? '-width Ds' : `-width ${width}n -compact`;
	return [`.Bl -tag ${form}`, ...items.flatMap(([tag, line]) => [`.It ${tag}`, text(line)]), '.El'];
}

/** Lines that stay as they are. */
export const literal = (lines: readonly string[]): readonly string[] => [
	'.Bd -literal -offset indent',
	...lines.map(line => escaped(line).replace(/^(?=[.'])/, '\\&')),
	'.Ed',
];

/** A row of a list: `  bash   echo 'source <(tapewatch completion bash)'`. */
const row = /^ {2,4}(\S.*?) {2,}(\S.*)$/;

/**
 * Paragraphs with blank lines between them. Indented lines are a list, if the first has two columns, of which deeper lines
 * continue the text; else they stay as they are.
 */
export function prose(paragraphs: string): readonly string[] {
	const runs = paragraphs.trim().match(/(?:^ .*\n?)+|(?:^[^ \n].*\n?)+/gm) ?? [];
	return runs.flatMap(run => {
		const lines = run.trimEnd().split('\n');
		if (!run.startsWith(' ')) return ['.Pp', text(lines.join(' '))];
		return row.test(lines[0] ?? '') ? tagList(rowsOf(lines)) : literal(lines.map(unindented));
	});
}

const unindented = (line: string): string => line.replace(/^ {2}/, '');

function rowsOf(lines: readonly string[]): ReadonlyArray<readonly [tag: string, text: string]> {
	const rows: [string, string][] = [];
	for (const line of lines) {
		const [, tag, begin = ''] = row.exec(line) ?? [];
		const last = rows.at(-1);
		if (tag !== undefined) rows.push([word(tag), begin]);
		else if (last && line.startsWith('     ')) last[1] = `${last[1]} ${line.trim()}`.trimStart();
		else rows.push([word(line.trim()), '']);
	}

	return rows.map(([tag, line]) => [tag, line.replace(/ {2,}/g, ' ')]);
}
