import fc from 'fast-check';

// The suite tries the same random cases each time, so that a change is what makes it fail. `SEED=2 npx vitest …` tries others.
fc.configureGlobal({seed: Number(process.env.SEED ?? 1)});
