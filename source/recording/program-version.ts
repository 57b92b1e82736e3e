/** The version of this program; set by the build. */
export const programVersion = process.env.TAPEWATCH_VERSION ?? 'from source';

/** Why a running program cannot load its parts any more. */
export const upgradedText = 'Tapewatch was upgraded while it ran; restart it';
