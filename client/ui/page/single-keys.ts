import { recall, remember } from './remember.ts'

const singleKeysKey = 'single-keys'

/** Whether a key alone does something: whoever speaks to the machine, or hits keys by chance, switches it off here. Browser only. */
export const areSingleKeysOn = (): boolean => recall(singleKeysKey) !== 'off'
export const switchSingleKeys = (isOn: boolean): void => remember(singleKeysKey, isOn ? 'on' : 'off')
