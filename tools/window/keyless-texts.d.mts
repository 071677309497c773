import type { Plugin } from 'vite'

export function keylessTexts(english: string): Plugin
