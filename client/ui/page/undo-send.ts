import { recall, remember } from './remember.ts'

const undoSendKey = 'undo-send'

/** Whether this person, in this browser, has some seconds to take back what they sent. Browser only. */
export const isUndoSendOn = (): boolean => recall(undoSendKey) === 'on'
export const switchUndoSend = (isOn: boolean): void => remember(undoSendKey, isOn ? 'on' : 'off')
