import type { StoredImport } from '../store.ts'

/** True if everything came that another program has. An uploaded file is complete. */
export const isFetched = ({ remote }: Pick<StoredImport, 'remote'>): boolean => !remote || remote.cursor === null
