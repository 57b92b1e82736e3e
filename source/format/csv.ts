import {stripControl} from './control.ts';
import {formatPlain} from './number.ts';

/** Values as fields of CSV and TSV. Unknown: empty. */

/** Numbers have every digit and no exponent; texts are without what acts on a terminal, but keep tabs and line breaks. */
export function fieldText(value: unknown): string {
	if (value === undefined || value === null) return '';
	return typeof value === 'number' ? formatPlain(value) : cleanText(String(value));
}

/** ISO 8601, in UTC, with milliseconds. `value`: epoch ms; what is no number is unknown. */
export function timeField(value: unknown): string {
	if (typeof value !== 'number') return '';
	const date = new Date(value);
	return Number.isNaN(date.getTime()) ? formatPlain(value) : date.toISOString();
}

const cleanText = (text: string): string =>
	text
		.split(/([\t\r\n])/)
		.map((part, index) => (index % 2 === 0 ? stripControl(part) : part))
		.join('');

/** As of RFC 4180: quoted where needed, quotes doubled. */
export const csvLine = (fields: readonly string[]): string =>
	fields.map(field => (/[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field)).join(',');
