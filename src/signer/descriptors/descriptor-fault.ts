/** Why a text isn't a supported descriptor. */
export class DescriptorFault extends Error {}
