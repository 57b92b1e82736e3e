export type ByteWriter = {
	/** A whole number from 0 to 2^53 - 1: 7 bits a byte, lowest first, the high bit on while more follow. */
	write(value: number): void;
	writeDouble(value: number): void;
	/** What was written so far. */
	bytes(): Buffer;
};

export function createByteWriter(): ByteWriter {
	let buffer = Buffer.alloc(1024);
	let length = 0;

	function reserve(count: number) {
		if (length + count > buffer.length) buffer = Buffer.concat([buffer, Buffer.alloc(buffer.length)]);
	}

	return {
		write(value) {
			reserve(8);
			let rest = value;
			// Bit operators take 32 bits only.
			while (rest >= 128) {
				buffer[length++] = 128 + (rest % 128);
				rest = Math.floor(rest / 128);
			}

			buffer[length++] = rest;
		},
		writeDouble(value) {
			reserve(8);
			length = buffer.writeDoubleLE(value, length);
		},
		bytes: () => buffer.subarray(0, length),
	};
}

/** Reads what a byte writer wrote. Throws a RangeError beyond the end. */
export type ByteReader = {
	read(): number;
	readDouble(): number;
	isAtEnd(): boolean;
};

export function createByteReader(buffer: Buffer): ByteReader {
	let at = 0;
	return {
		read() {
			let value = 0;
			for (let scale = 1; ; scale *= 128) {
				const byte = buffer.readUInt8(at++);
				if (byte < 128) return value + byte * scale;
				value += (byte - 128) * scale;
			}
		},
		readDouble() {
			at += 8;
			return buffer.readDoubleLE(at - 8);
		},
		isAtEnd: () => at >= buffer.length,
	};
}
