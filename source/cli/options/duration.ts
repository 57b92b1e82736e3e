const unitMs: ReadonlyMap<string, number> = new Map([
	['', 1000],
	['s', 1000],
	['m', 60_000],
	['h', 3_600_000],
	['d', 86_400_000],
]);

/** Ms of `90s`, `10m`, `1.5h`, `2d`; a bare number is seconds. Undefined: no duration, or none from 0.1 s to 365 days. */
export function parseDuration(text: string): number | undefined {
	const [, digits, unit = ''] = /^(\d+(?:\.\d+)?)\s?([smhd]?)$/i.exec(text.trim()) ?? [];
	const ms = Number(digits) * (unitMs.get(unit.toLowerCase()) ?? Number.NaN);
	return ms >= 100 && ms <= 365 * 86_400_000 ? ms : undefined;
}
