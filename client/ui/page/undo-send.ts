import { recall, remember } from './remember.ts'

const undoSendKey = 'undo-send'

/** True if messages sent from this browser can be undone for some seconds. Browser only. */
export const isUndoSendOn = (): boolean => recall(undoSendKey) === 'on'
export const switchUndoSend = (isOn: boolean): void => remember(undoSendKey, isOn ? 'on' : 'off')
