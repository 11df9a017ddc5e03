import { useEffect, useState } from 'react'

const pauseMs = 250

/** A typed text once nothing more was typed for a quarter of a second, for searches on the server. */
export const useSettled = (typed: string): string => {
  const [settled, setSettled] = useState(typed)
  useEffect(() => {
    const timer = setTimeout(setSettled, pauseMs, typed)
    return () => clearTimeout(timer)
  }, [typed])
  return settled
}
