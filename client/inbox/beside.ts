import { createContext } from 'react'

/** Digits of the chat's customer. Numbers without a country are read as of their country. */
export const Beside = createContext('')
