import {FrameOutput} from '../../source/terminal/frame-output.ts';

/** Keeps what Ink wrote by itself. */
export class OverheardOutput extends FrameOutput {
	readonly heard: string[] = [];

	override _write(text: string, encoding: BufferEncoding, done: () => void): void {
		this.heard.push(text);
		super._write(text, encoding, done);
	}
}
