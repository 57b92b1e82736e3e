export const bookViews = ['ladder', 'curve', 'heatmap'] as const;
/** In the order of `b`: price rows, cumulative size by price, and what lay at each price over the session. */
export type BookView = (typeof bookViews)[number];
