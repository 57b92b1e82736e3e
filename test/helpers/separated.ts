/** Readers of CSV (RFC 4180) and TSV that share nothing with what writes them: lists of fields. */

export function readCsv(text: string): readonly (readonly string[])[] {
	const rows: string[][] = [];
	let at = 0;
	while (at < text.length) {
		const row: string[] = [];
		for (;;) {
			const match = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\n)/y;
			match.lastIndex = at;
			const [whole, quoted, plain = '', end] = match.exec(text) ?? [];
			if (whole === undefined) throw new Error(`no CSV at ${at}: ${JSON.stringify(text.slice(at, at + 40))}`);
			row.push(quoted?.replaceAll('""', '"') ?? plain);
			at += whole.length;
			if (end === '\n') break;
		}

		rows.push(row);
	}

	return rows;
}

const characters: Readonly<Record<string, string>> = {t: '\t', n: '\n', r: '\r', '\\': '\\'};

export function readTsv(text: string): readonly (readonly string[])[] {
	if (!text.endsWith('\n') || text.includes('\r')) throw new Error('lines end otherwise');
	const lines = text.slice(0, -1).split('\n');
	return lines.map(line =>
		line.split('\t').map(field => field.replaceAll(/\\(.)/g, (_, escaped: string) => characters[escaped] ?? '?')),
	);
}

/** The rows below the line of names, as records. */
export function recordsOf([names = [], ...rows]: readonly (readonly string[])[]) {
	return rows.map(row => {
		if (row.length !== names.length) throw new Error(`${row.length} fields, ${names.length} names`);
		return Object.fromEntries(names.map((name, index) => [name, row[index] ?? '']));
	});
}
