/**
 * Storage path of a media file. The end of an id is random, its beginning is the time, so folders are named after the
 * end.
 */
export const mediaPath = (orgId: string, id: string): string => `${orgId}/${id.slice(-2)}/${id}`
