import { createContext } from 'react'

/** Digits of the customer whose chat is drawn: of their country is a number that is said without one. */
export const Beside = createContext('')
