import {Component, type ReactNode, useEffect} from 'react';
import {Pane} from './pane.tsx';
import {failedPanel, failedPanelWarning, type PanelProps, thrownText} from './resource-panel.ts';
import {usePanelView, useScreen} from './use-market.ts';

type BoundaryProps = PanelProps & {
	readonly title: string;
	/** The command that focuses the panel. Absent: there is none. */
	readonly command?: string | undefined;
	readonly children: ReactNode;
};

type BoundaryState = {readonly failure?: {readonly error: unknown} | undefined};

/**
 * Shows in a panel's own frame that it could not be drawn, while the others go on. It is drawn again when the market's data or
 * its own settings change. The log gets one warning for each new failure.
 */
export class PanelBoundary extends Component<BoundaryProps, BoundaryState> {
	override state: BoundaryState = {};
	#reported: string | undefined;

	static getDerivedStateFromError(error: unknown): BoundaryState {
		return {failure: {error}};
	}

	override componentDidCatch(error: unknown): void {
		const text = thrownText(error);
		if (text === this.#reported) return;
		this.#reported = text;
		process.emitWarning(failedPanelWarning(this.props.title, error), 'Defect');
	}

	override componentDidUpdate(before: BoundaryProps): void {
		if (this.state.failure && before.children !== this.props.children) this.#drawAgain();
	}

	readonly #drawAgain = (): void => this.setState({failure: undefined});

	override render(): ReactNode {
		const {failure} = this.state;
		const {title, command, children, ...place} = this.props;
		if (!failure) return children;
		return <FailedPanel {...place} {...{title, command}} error={failure.error} drawAgain={this.#drawAgain} />;
	}
}

type FailedProps = Omit<BoundaryProps, 'children'> & {readonly error: unknown; drawAgain(): void};

function FailedPanel({title, command, error, drawAgain, ...place}: FailedProps): ReactNode {
	const {store} = useScreen();
	const {keyHint, focused, size, ascii} = usePanelView(place);
	useEffect(() => store.subscribe(drawAgain), [store, drawAgain]);
	const key = command ? keyHint('', command) : '';
	return <Pane lines={failedPanel({title, key, error, focused, size, ascii})} size={size} />;
}
