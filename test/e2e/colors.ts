/** The parameters of all styles in the output, without those of a colour's value. */
export const styles = (raw: string): Set<string> =>
	new Set(
		[...raw.matchAll(/\u001B\[([\d;]*)m/g)].flatMap(([, codes = '']) =>
			codes.replaceAll(/([34]8;(?:2|5))(?:;\d+)+/g, '$1').split(/(?<![34]8);/),
		),
	);

/** The kinds of colour among the styles. */
export function colorKinds(raw: string): string[] {
	const used = [...styles(raw)];
	return [
		...(used.some(code => /^[34]8;2$/.test(code)) ? ['truecolor'] : []),
		...(used.some(code => /^[34]8;5$/.test(code)) ? ['256 colours'] : []),
		...(used.some(code => /^(?:3|4|9|10)[0-7]$/.test(code)) ? ['16 colours'] : []),
	];
}
