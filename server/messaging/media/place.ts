/** Where the file of this id is kept in the storage of media. The end of an id is random, its beginning is the time. */
export const mediaPath = (orgId: string, id: string): string => `${orgId}/${id.slice(-2)}/${id}`
