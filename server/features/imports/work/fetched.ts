import type { StoredImport } from '../store.ts'

/** Everything came that another program has. An uploaded file is complete. */
export const isFetched = ({ remote }: Pick<StoredImport, 'remote'>): boolean => !remote || remote.cursor === null
