// What the UI knows about the program itself: services, listeners, log.
import { messageOf } from '../../base/errors'
import { Emitter } from '../../base/events'
import { Disposables } from '../../base/lifecycle'
import type { Clock } from '../../base/time'
import type { AppInfoView, AppStatusView, PlaceView } from '../../contract/app'
import type { UpdatesView } from '../../contract/program/updates'
import { oldElectron } from '../../old-electron/old-electron'
import { folderChange } from '../data-folder/folder-records'
import { HostError } from '../errors'
import type { ActivityRing } from '../log/activity-ring'
import type { CrashFile } from '../log/crash-file'
import type { LogRing } from '../log/log-ring'
import type { KeyConfinement } from '../signer/running-vault'
import type { SupervisedService } from '../system/supervised-service'
import { supportBundle } from '../system/support-bundle'
import type { Updates } from '../update/updates'
import { folderCalls } from './folder-calls'
import { type SettingsCallsDeps, settingsCalls } from './settings-calls'
import { isHere, topic, type UiAccess, type UiHandlers, uiCalls } from './ui-handlers'

/** Disks fill slowly, and the query may start a program. */
const DISK_LOOK_MS = 60_000

/** Enough to see what preceded a fault, and small enough to send. */
const BUNDLE_LINES = 2_000

interface AppHandlersDeps {
  /** What doesn't depend on the connection. Evaluated per call, since ports are known only after start. */
  readonly info: () => Omit<AppInfoView, 'access' | 'canSignIn' | 'link'>
  readonly services: readonly SupervisedService[]
  readonly activity: ActivityRing
  readonly lines: LogRing
  readonly crashes: Pick<CrashFile, 'read'>
  readonly place: () => Promise<PlaceView>
  readonly settings: SettingsCallsDeps
  readonly updates: Updates
  /** Ends the program in order, as a signal does. */
  readonly stop: () => void
  readonly clock: Clock
  /** Of the signer's key worker. */
  readonly confinement: Pick<KeyConfinement, 'lack' | 'events'>
}

export function appHandlers(deps: AppHandlersDeps): UiHandlers<'app'> {
  const { info, place, services, activity, lines, crashes, settings, updates, clock, confinement, stop } = deps
  const folderEvents = new Emitter<{ changed: object }>()
  const { dataDir } = settings.config.app
  return {
    calls: (access) => ({
      ...settingsCalls(settings, access),
      ...folderCalls({ ...settings, onChanged: () => folderEvents.emit('changed', {}) }, access),
      ...updateCalls(updates, access),
      'app.info': () => ({ ...info(), ...whoAsks(access), ...oldElectron() }),
      'app.now': () => ({ now: clock.now() }),
      'app.place': place,
      'app.stop': () => {
        setImmediate(stop) // the answer is sent first
        return { pid: process.pid }
      },
      'app.supportBundle': () =>
        supportBundle({
          config: settings.config,
          info: info(),
          now: clock.now(),
          services: services.map((service) => service.view()),
          lines: lines.last(BUNDLE_LINES),
          crashes: crashes.read(),
        }),
      'app.events': ({ before, count }) => ({ entries: activity.before(before, count) }),
      'app.logs': ({ from, count }) => lines.read(from, count),
    }),
    topics: [
      topic('app.status', {
        read: () => ({
          services: services.map((service) => service.view()),
          restartFor: [
            ...(settings.settings?.waitsForRestart() ?? []),
            ...(folderChange.read(dataDir)?.failed === '' ? ['datadir'] : []),
          ],
          ...unconfined(confinement.lack()),
          takenAt: clock.now(),
        }),
        watch: (changed) =>
          new Disposables(
            confinement.events.on('changed', changed),
            folderEvents.on('changed', changed),
            ...services.map((service) => service.events.on('stateChanged', changed)),
            settings.settings?.events.on('changed', changed),
          ),
      }),
      topic('app.disk', {
        read: async () => ({ freeBytes: (await place()).freeBytes, takenAt: clock.now() }),
        watch: (changed) => clock.setInterval(changed, DISK_LOOK_MS),
      }),
      topic('app.activity', {
        read: () => ({ entries: [...activity.entries()] }),
        watch: (changed) => activity.events.on('added', changed),
      }),
    ],
  }
}

function unconfined(reason: string | null): Pick<AppStatusView, 'unconfined'> {
  return reason === null ? {} : { unconfined: reason.slice(0, 1_000) }
}

function whoAsks(access: UiAccess): Pick<AppInfoView, 'access' | 'canSignIn' | 'link'> {
  const { control, approve, canSignIn, view } = access
  const link = view === undefined || view === null ? null : { hides: view.hides, expiresAt: view.expiresAt }
  return { access: { control, approve, here: isHere(access) }, canSignIn, link }
}

function waitingIn(updates: Updates): { readonly waiting: Updates['waiting']; readonly fault: string } {
  try {
    return { waiting: updates.waiting, fault: '' }
  } catch (error) {
    return { waiting: null, fault: messageOf(error) }
  }
}

/** About newer versions. Only a start of the program installs one, so pending requests aren't cut off. */
export function updateCalls(updates: Updates, access: UiAccess) {
  const view = (): UpdatesView => {
    const { options, lookedAt, work, failure, found, isAutomatic, folder } = updates
    const { waiting, fault } = waitingIn(updates)
    return {
      running: options.running,
      check: options.check,
      hasAddress: options.url !== null,
      lookedAt: lookedAt === 0 ? null : lookedAt,
      work,
      failure: failure || fault,
      found: found === null ? null : { version: found.version, changes: found.changes },
      waiting: waiting === null ? null : { version: waiting.version },
      isAutomatic,
      folder: isHere(access) ? folder : null,
    }
  }
  return uiCalls({
    'app.updates': view,
    'app.updateLook': async () => {
      await updates.lookNow()
      return view()
    },
    'app.updateFetch': () => {
      if (updates.found === null) throw new HostError('HOST_UPDATE_NOTHING', undefined)
      updates.beginFetch(updates.found)
    },
    'app.updateForget': () => updates.forget(),
  })
}
