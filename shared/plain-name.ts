const visible = /(?!\p{Default_Ignorable_Code_Point}|\u2800)[\p{L}\p{N}\p{P}\p{S}]/u
/** Controls, and those that turn the direction of what is beside them. */
const deceiving = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/u

/** False: nothing of the name is seen, or it shows as another than it is. */
export const isPlainName = (name: string): boolean => visible.test(name) && !deceiving.test(name)
