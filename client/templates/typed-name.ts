import { fold } from '#shared/kernel/fold.ts'

/** A name as Meta takes it, of what somebody types: `Envío del día` is `envio_del_dia`. What fits nowhere stays, to be seen. */
export const typedName = (typed: string): string => fold(typed).replace(/[\s-]/g, '_')
