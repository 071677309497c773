// A driver library too old to have the functions that are needed.
extern "C" __attribute__((visibility("default"))) int cuInit(unsigned flags) { return static_cast<int>(flags); }
