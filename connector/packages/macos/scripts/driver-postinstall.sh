# The driver of before macOS 14, for every program on this Mac.
defaults write /Library/Preferences/com.apple.security.smartcard useIFDCCID -bool yes
