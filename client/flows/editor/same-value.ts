import { useMemo } from 'react'

/** Returns the previous object while the JSON is equal, so that components do not render again. For JSON values. */
export function useSameValue<T>(value: T): T {
  const text: string | undefined = useMemo(() => JSON.stringify(value), [value])
  return useMemo(() => (text === undefined ? undefined : JSON.parse(text)) as T, [text])
}
