import { recall, remember } from './remember.ts'

const singleKeysKey = 'single-keys'

/** Single keys are shortcuts unless they are switched off: people dictate, or hit keys by accident. Browser only. */
export const areSingleKeysOn = (): boolean => recall(singleKeysKey) !== 'off'
export const switchSingleKeys = (isOn: boolean): void => remember(singleKeysKey, isOn ? 'on' : 'off')
