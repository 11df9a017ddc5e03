import { useState } from 'react'

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** The typed value over the stored one. Follows stored changes while nothing is typed. */
export function useTyped<T>(stored: T): [typed: T, type: (next: T) => void] {
  const [from, setFrom] = useState(stored)
  const [typed, setTyped] = useState(stored)
  if (!isSame(from, stored)) {
    setFrom(stored)
    if (isSame(typed, from)) setTyped(stored)
  }
  return [typed, setTyped]
}
