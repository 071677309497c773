// Preload of the approval window, which has its own renderer process.
import { exposeBridge } from './bridge'

exposeBridge('approval')
