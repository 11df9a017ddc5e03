import { recall, remember } from './remember.ts'

const singleKeysKey = 'single-keys'

/**
 * Whether single keys are shortcuts. People who dictate, or hit keys by accident, can switch them off. Browser only.
 */
export const areSingleKeysOn = (): boolean => recall(singleKeysKey) !== 'off'
export const switchSingleKeys = (isOn: boolean): void => remember(singleKeysKey, isOn ? 'on' : 'off')
