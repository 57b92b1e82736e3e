// The long name, as the build puts this class wherever `Intl.Segmenter` stands.
type Options = ConstructorParameters<typeof globalThis.Intl.Segmenter>;

/** An `Intl.Segmenter` that is created when it is first used. */
export class LateSegmenter implements Pick<Intl.Segmenter, 'segment'> {
	readonly #options: Options;
	#segmenter: Intl.Segmenter | undefined;

	constructor(...options: Options) {
		this.#options = options;
	}

	segment(text: string): Intl.Segments {
		this.#segmenter ??= new globalThis.Intl.Segmenter(...this.#options);
		return this.#segmenter.segment(text);
	}
}
