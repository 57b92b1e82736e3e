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
