/** A term covers at most this many messages, so that the cost of merging does not grow. */
const stretchBits = 16

/** The block of a message. */
export const stretchOf = (seq: number): number => seq >> stretchBits

/** The first `seq` of a block. */
export const firstSeqOf = (stretch: number): number => stretch << stretchBits
