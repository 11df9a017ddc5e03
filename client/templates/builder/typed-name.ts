import { fold } from '#shared/kernel/fold.ts'

/**
 * Converts typed text to a name Meta accepts: `Envío del día` becomes `envio_del_dia`. Other invalid characters stay
 * visible.
 */
export const typedName = (typed: string): string => fold(typed).replace(/[\s-]/g, '_')
