/** A term stands for this many messages at most: what it costs to merge one does not grow. */
const stretchBits = 16

/** In which stretch a message is, by its `seq`. */
export const stretchOf = (seq: number): number => seq >> stretchBits

/** The first `seq` of a stretch. */
export const beginningOf = (stretch: number): number => stretch << stretchBits
