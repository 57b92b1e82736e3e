import {type Line, lineText} from '../../source/view/line.ts';

/** The lines as text for a golden frame, between bars that show where each one ends. */
export const boxed = (lines: readonly Line[]): string => lines.map(line => `│${lineText(line)}│\n`).join('');

/** Reads a displayed number back: grouped, with counted zeros (`0.0₄1371`, `0.0(4)1371`), with either minus sign. */
export function readNumber(text: string): number {
	const plain = text
		.trim()
		.replaceAll(',', '')
		.replace('−', '-')
		.replace(/[₀-₉]+/, digits => `(${[...digits].map(digit => '₀₁₂₃₄₅₆₇₈₉'.indexOf(digit)).join('')})`)
		.replace(/0\((\d+)\)/, (_, zeros) => '0'.repeat(Number(zeros)));
	return Number(plain);
}

/** Whether `text` is `amount`, rounded to the last digit or bounded: `1,234.5`, `0.0₄12`, `1.91 B`, `<1 M`. */
export function isAmount(text: string, amount: number): boolean {
	const [number = '', unit = ''] = text.trim().replace('<', '').split(' ');
	const scale = 1000 ** ['', 'k', 'M', 'B', 'T', 'P', 'E'].indexOf(unit);
	const value = readNumber(number);
	if (text.includes('<')) return amount < value * scale;
	const last = readNumber(number.replaceAll(/[1-9](?=.*\d)/g, '0').replace(/\d$/, '1'));
	return Math.abs(value - amount / scale) <= 0.5001 * last + (1e-9 * amount) / scale;
}
