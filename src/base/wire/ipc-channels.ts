// Names of the channels between our windows and the main process. No import: a preload script stays small.

/** Frames in both directions. */
export const FRAME_CHANNEL = 'headframe:frame'
/** Tells the main process that the page is listening and wants the current value of every event. */
export const ATTACH_CHANNEL = 'headframe:attach'
/** The id of the request that the approval window shows, or null. */
export const SHOWING_CHANNEL = 'headframe:showing'
/** The user is done with the approval window. */
export const LEAVE_CHANNEL = 'headframe:leave'
/** The user left or returned. */
export const DISTURBED_CHANNEL = 'headframe:disturbed'
/** The main process will not answer any more; carries the reason. */
export const CLOSED_CHANNEL = 'headframe:closed'
