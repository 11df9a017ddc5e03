import { AppError } from '#server/platform/http/errors.ts'

export const isStatus = (error: unknown, status: number) => error instanceof AppError && error.status === status

/** The upstream cannot say. */
export const isTrouble = (error: unknown) => error instanceof AppError && error.status >= 500

const isNotServed = (error: unknown) => error instanceof AppError && error.code === 'UPSTREAM_NOT_OFFERED'

/** Returns the upstream's answer, or our own data if it does not serve the call. */
export const orOwn = async <T>(asked: Promise<T>, own: () => T | Promise<T>): Promise<T> => {
  try {
    return await asked
  } catch (error) {
    if (isNotServed(error)) return own()
    throw error
  }
}
