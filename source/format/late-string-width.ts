import type stringWidth from 'string-width';

/**
 * `string-width`, loaded by the first text that needs it. The build puts this wherever the package is imported.
 */
const lateStringWidth: typeof stringWidth = (text, options) =>
	require('../../node_modules/string-width/index.js').default(text, options);

export default lateStringWidth;
