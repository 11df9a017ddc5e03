import { type ToggleEvent, useEffect, useRef, useState } from 'react'

/**
 * Returns whether a `<details>` is open, and the properties that its element needs. Also when somebody opened it before
 * it was hydrated.
 */
export const useDetails = () => {
  const ref = useRef<HTMLDetailsElement>(null)
  const [isOpen, setOpen] = useState(false)
  useEffect(() => setOpen(ref.current?.open ?? false), [])
  const onToggle = ({ currentTarget }: ToggleEvent<HTMLDetailsElement>) => setOpen(currentTarget.open)
  return { isOpen, details: { ref, onToggle } }
}
