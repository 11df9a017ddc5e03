import { useMemo } from 'react'

/** The same object as long as it says the same: what is drawn from it is not drawn again. Of what JSON can say. */
export function useSameValue<T>(value: T): T {
  const text: string | undefined = useMemo(() => JSON.stringify(value), [value])
  return useMemo(() => (text === undefined ? undefined : JSON.parse(text)) as T, [text])
}
